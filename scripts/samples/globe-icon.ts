import { deflateSync } from 'node:zlib'
import { crc32 } from '@/lib/values/crc32'

const SIZE = 64
const CENTRE = (SIZE - 1) / 2
const RADIUS = 29
// Transparent, sea, lines.
const PALETTE = [0x00, 0x00, 0x00, 0x2f, 0x6f, 0xeb, 0xff, 0xff, 0xff]
const ALPHA = [0, 255, 255]

/** A globe with its meridians, 64 × 64, as a data URI of a PNG. */
export function globeIcon(): string {
  const rows = Array.from({ length: SIZE }, (_, y) => [
    0, // no filter
    ...Array.from({ length: SIZE }, (_, x) => colourAt(x - CENTRE, y - CENTRE)),
  ])
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', [0, 0, 0, SIZE, 0, 0, 0, SIZE, 8, 3, 0, 0, 0]),
    chunk('PLTE', PALETTE),
    chunk('tRNS', ALPHA),
    // Stored, not compressed: compressors differ between machines, these bytes must not.
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 0 })),
    chunk('IEND', []),
  ])
  return `data:image/png;base64,${png.toString('base64')}`
}

/** Index into the palette of the point at `x`, `y` from the centre. */
function colourAt(x: number, y: number): number {
  if (Math.hypot(x, y) > RADIUS) return 0
  const halfWidth = Math.sqrt(RADIUS ** 2 - y ** 2)
  const meridians = [0, 0.55].map((part) => Math.abs(Math.abs(x) - part * halfWidth))
  const parallels = [0, 0.5].map((part) => Math.abs(Math.abs(y) - part * RADIUS))
  return Math.min(...meridians, ...parallels, RADIUS - Math.hypot(x, y)) < 1.1 ? 2 : 1
}

/** A chunk of a PNG: length, type, data, checksum. */
function chunk(type: string, data: ArrayLike<number>): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(Array.from(data))])
  const length = Buffer.alloc(4)
  const checksum = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
