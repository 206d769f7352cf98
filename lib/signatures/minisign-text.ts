/** The bytes of a line in base64, null unless it is exactly so many, written in the usual way. */
export function bytesOfBase64(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === length && bytes.toString('base64') === text ? bytes : null
}

export const UNTRUSTED = 'untrusted comment: '
export const TRUSTED = 'trusted comment: '
