import { type LayoutRequest, layOut } from './layout.ts'

// A thread of its own: a page must not stand still while a large graph is laid out.
self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => self.postMessage(layOut(data))
