import { AppError } from '@/lib/errors'

/**
 * The error for a file that is no complete image of its type. `what` must not contain data of the
 * file.
 */
export function damaged(what: string, cause?: unknown): AppError {
  const message = `The image is damaged: ${what}`
  return new AppError('invalid_input', message, {
    validations: [{ field: 'file', error: message }],
    cause,
  })
}

/** `bytes[start, end)`; throws when the file ends before. */
export function slice(bytes: Buffer, start: number, end: number): Buffer {
  if (start < 0 || end < start || end > bytes.length) throw damaged('it ends too early')
  return bytes.subarray(start, end)
}

export function uint8(bytes: Buffer, at: number): number {
  return slice(bytes, at, at + 1).readUInt8()
}
export function uint16(bytes: Buffer, at: number): number {
  return slice(bytes, at, at + 2).readUInt16BE()
}
export function uint32(bytes: Buffer, at: number): number {
  return slice(bytes, at, at + 4).readUInt32BE()
}
