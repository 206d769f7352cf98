import { damaged, partsOf, slice, uint8 } from './parts'

const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const COMMENT = 0xfe
const APPLICATION = 0xff
/** Applications whose data changes how the image looks: loops and colours. */
const KEPT_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])

/** The parts of a GIF, all frames, without comments, XMP and what follows its end. */
export function stripGif(bytes: Buffer): Buffer[] {
  const parts = partsOf(bytes)
  let at = 13 + tableLength(uint8(bytes, 10))
  parts.keep(0, at)
  for (;;) {
    const kind = uint8(bytes, at)
    if (kind === TRAILER) {
      parts.keep(at, at + 1)
      return parts.all()
    }
    const end = kind === IMAGE ? endOfImage(bytes, at) : endOfExtension(bytes, at)
    if (kind === IMAGE || isKept(slice(bytes, at, end))) parts.keep(at, end)
    at = end
  }
}

/** Size of a colour table in bytes, from the flags before it. */
const tableLength = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

function endOfImage(bytes: Buffer, at: number): number {
  const table = tableLength(uint8(bytes, at + 9))
  return endOfBlocks(bytes, at + 10 + table + 1)
}

function endOfExtension(bytes: Buffer, at: number): number {
  if (uint8(bytes, at) !== EXTENSION) throw damaged('it has a block of an unknown type')
  return endOfBlocks(bytes, at + 2)
}

/** Behind the empty block that ends a chain of them; each starts with its length. */
function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from
  for (let length = uint8(bytes, at); length > 0; length = uint8(bytes, at)) at += length + 1
  return at + 1
}

function isKept(extension: Buffer): boolean {
  const label = uint8(extension, 1)
  if (label === COMMENT) return false
  if (label !== APPLICATION) return true
  return KEPT_APPLICATIONS.has(extension.subarray(3, 14).toString('latin1'))
}
