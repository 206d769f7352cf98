import 'server-only'
import pLimit from 'p-limit'
import sharp from 'sharp'

// Decoded images are large: no cache of them, one thread an image, two images at a time.
sharp.cache(false)
sharp.concurrency(1)
const turns = pLimit(2)

/** Runs work that decodes images or holds them in memory, two runs at a time in this process. */
export const withDecoder = <T>(work: (decoder: typeof sharp) => Promise<T>): Promise<T> =>
  turns(() => work(sharp))
