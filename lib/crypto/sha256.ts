import crypto from 'node:crypto'

/** In one call where Node has it, from 20.12 on: it takes half as long. */
export const sha256 = (text: string, encoding: 'hex' | 'base64url'): string =>
  typeof crypto.hash === 'function'
    ? crypto.hash('sha256', text, encoding)
    : crypto.createHash('sha256').update(text).digest(encoding)
