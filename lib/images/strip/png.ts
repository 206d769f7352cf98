import { crc32 } from '@/lib/values/crc32'
import { damaged, orientationExif, partsOf, slice, uint32 } from './parts'

/** Chunks with the look of the image (PNG, third edition, §11); the others are about it. */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(
    ' ',
  ),
)
const SIGNATURE_LENGTH = 8

/** The parts of a PNG without texts, times, Exif, unknown chunks and what follows its end. */
export function stripPng(bytes: Buffer, orientation: number): Buffer[] {
  const parts = partsOf(bytes)
  parts.keep(0, SIGNATURE_LENGTH)
  for (let at = SIGNATURE_LENGTH; ; ) {
    const end = at + 12 + uint32(bytes, at)
    const type = slice(bytes, at + 4, at + 8).toString('latin1')
    const chunk = slice(bytes, at, end)
    if ((at === SIGNATURE_LENGTH) !== (type === 'IHDR')) throw damaged('its header is missing')
    if (isCritical(type)) checkCritical(type, chunk)
    if (KEPT.has(type)) parts.keep(at, end)
    if (type === 'IHDR' && orientation > 1) parts.add(exifChunk(orientation))
    if (type === 'IEND') return parts.all()
    at = end
  }
}

const isCritical = (type: string) => /^[A-Z]/.test(type)

function checkCritical(type: string, chunk: Buffer): void {
  if (!KEPT.has(type)) throw damaged('it has a chunk of an unknown type')
  const sum = chunk.readUInt32BE(chunk.length - 4)
  if (crc32(chunk.subarray(4, -4)) !== sum) throw damaged('a checksum is wrong')
}

function exifChunk(orientation: number): Buffer {
  const typed = Buffer.concat([Buffer.from('eXIf'), orientationExif(orientation)])
  const chunk = Buffer.alloc(typed.length + 8)
  chunk.writeUInt32BE(typed.length - 4)
  typed.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(typed), typed.length + 4)
  return chunk
}
