import type JSZip from 'jszip'
import { crc32 } from '@/lib/values/crc32'
import type { Entry } from './central-directory'
import { refused } from './refusals'

/**
 * The content of an entry. Its declared size, already checked, is the limit: the stream is stopped
 * at the first byte beyond it. jszip yields to the event loop every 16 KiB of packed
 * data. Throws `invalid_input` when size or CRC-32 are not as declared.
 */
export function inflate(source: JSZip.JSZipObject, entry: Entry): Promise<Uint8Array> {
  const content = new Uint8Array(entry.bytes)
  let size = 0
  let crc = 0
  return new Promise((resolve, reject) => {
    const stream = streamOf(source)
    stream.on('data', (chunk) => {
      if (size > entry.bytes) return
      size += chunk.length
      if (size > entry.bytes) {
        // Neither thrown (it would be uncaught) nor cleaned up: a paused stream is garbage-collected.
        stream.pause()
        reject(refused(entry.path, LONGER))
        return
      }
      content.set(chunk, size - chunk.length)
      crc = crc32(chunk, crc)
    })
    stream.on('error', (cause) => reject(broken(entry, cause)))
    stream.on('end', () => {
      if (size === entry.bytes && crc === entry.crc) resolve(content)
      else reject(broken(entry))
    })
    stream.resume()
  })
}

const LONGER = 'unpacks to more than it declares; pack the archive again'

const broken = ({ path }: Entry, cause?: Error) =>
  refused(path, 'does not match its checksum or size; pack or download the archive again', cause)

// Documented by jszip, missing in its types.
type Streaming = JSZip.JSZipObject & {
  internalStream(type: 'uint8array'): JSZip.JSZipStreamHelper<Uint8Array>
}

const streamOf = (source: JSZip.JSZipObject) => (source as Streaming).internalStream('uint8array')
