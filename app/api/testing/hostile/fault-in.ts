import { SCIM_ERROR } from '@/lib/http/scim-error-response'
import type { Answer } from './send'

/** What no answer may show: where our code lies, how it asks the database, what is hashed. */
const INTERNALS =
  /\n\s+at |node_modules|\/lib\/\w+\/[\w-]+\.ts|argon2|passwordHash|password_hash|syntax error at|Failed query|drizzle/

/** Loads from addresses that others may name and no server answers. */
const FROM_ADDRESS = '/api/images/upload-from-address'

/** What is wrong with an answer, or undefined: a fault, no envelope, or something that must not be shown. */
export function faultIn(
  { status, headers, text }: Answer,
  { path, secrets }: { path: string; secrets: readonly string[] },
): string | undefined {
  const said = `${status} ${text.slice(0, 300)}`
  const isForeign = path === FROM_ADDRESS && status === 502
  if (status >= 500 && status !== 503 && !isForeign) return `a fault: ${said}`
  if (INTERNALS.test(text)) return `internals: ${said}`
  const shown = text + JSON.stringify(headers)
  if (secrets.some((secret) => shown.includes(secret))) return `a secret: ${said}`
  return status >= 400 && !isEnvelope(status, text) ? `no envelope: ${said}` : undefined
}

/** Errors of plugins' installs have a form of their own, `{ status, error }`, and those of SCIM theirs. */
function isEnvelope(status: number, text: string): boolean {
  try {
    const { error, code, data, status: said, schemas, detail } = JSON.parse(text)
    if (schemas?.[0] === SCIM_ERROR) return said === String(status) && typeof detail === 'string'
    if (typeof error !== 'string' || error === '') return false
    return said === status || (code === status && Array.isArray(data))
  } catch {
    return false
  }
}
