import { createHash } from 'node:crypto'

/** Seconds by which the time of a signed request may be off. */
const MAX_AGE_S = 3600
const UNSIGNED = new Set(['file', 'cloud_name', 'resource_type', 'api_key', 'signature'])

/** What is wrong with a signed request, null if nothing is. */
export function checkSignature(
  fields: Record<string, string>,
  { key, secret }: { key: string; secret: string },
): string | null {
  if (fields.api_key !== key) return `Unknown API key ${fields.api_key}`
  const age = Math.abs(Date.now() / 1000 - Number(fields.timestamp))
  if (!(age < MAX_AGE_S)) return `Stale request - reported time is ${fields.timestamp}`
  const text = Object.keys(fields)
    .filter((name) => !UNSIGNED.has(name))
    .sort()
    .map((name) => `${name}=${fields[name]}`.replaceAll('&', '%26'))
    .join('&')
  const signature = createHash('sha1')
    .update(text + secret)
    .digest('hex')
  if (signature === fields.signature) return null
  return `Invalid Signature ${fields.signature}. String to sign - '${text}'.`
}
