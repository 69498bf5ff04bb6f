import { type LayoutRequest, layOut } from './layout.ts'

// A worker, because the layout of a large graph would block the page.
self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => self.postMessage(layOut(data))
