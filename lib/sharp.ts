import pLimit from 'p-limit'
import type sharp from 'sharp'

// Decoded images are large: no cache of them, one thread an image, two images at a time.
const turns = pLimit(2)

/** On the first image: the library takes 0.1 s to load, which few requests and few tests need. */
async function load(): Promise<typeof sharp> {
  const decoder = (await import('sharp')).default
  decoder.cache(false)
  decoder.concurrency(1)
  return decoder
}

/** Runs work that decodes images or holds them in memory, two runs at a time in this process. */
export const withDecoder = <T>(work: (decoder: typeof sharp) => Promise<T>): Promise<T> =>
  turns(async () => work(await load()))
