import {
  IconAppWindow,
  IconBolt,
  IconCloudDownload,
  IconFolder,
  IconPlayerPlay,
  type IconProps,
  IconStack2,
  IconTableShare,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { ItemKind } from './items.ts'

/** Icon of each kind of item. */
export const icons: Record<ItemKind, ComponentType<IconProps>> = {
  sync: IconTableShare,
  source: IconCloudDownload,
  compiler: IconStack2,
  type: IconFolder,
  screen: IconAppWindow,
  action: IconBolt,
  run: IconPlayerPlay,
}
