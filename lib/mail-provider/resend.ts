import type { Resend } from 'resend'
import type { Delivery, MailProvider } from './provider'

const RESEND_TIMEOUT_MS = 10_000
/** The tag by which webhooks name the row of the outbox. */
export const OUTBOX_TAG = 'outbox_id'

type Failure = { name?: string; message?: string; statusCode?: number | null }

/** Delivery by Resend. Its SDK returns errors instead of throwing them, and has no timeout. */
export function resendProvider(
  apiKey: string,
  { baseUrl, timeoutMs = RESEND_TIMEOUT_MS }: { baseUrl?: string; timeoutMs?: number } = {},
): MailProvider {
  // Loaded by the first mail.
  let client: Promise<Resend> | undefined
  const open = async () => new (await import('resend')).Resend(apiKey, { baseUrl })
  return {
    name: 'Resend',
    send: async (mail, idempotencyKey) => {
      const tags = [{ name: OUTBOX_TAG, value: idempotencyKey }]
      const signal = AbortSignal.timeout(timeoutMs)
      client ??= open()
      const { emails } = await client
      try {
        const options = { idempotencyKey, signal }
        const { data, error, headers } = await emails.send({ ...mail, tags }, options)
        if (error) return signal.aborted ? timedOut(timeoutMs) : toDelivery(error, headers)
        return { outcome: 'accepted', providerId: data.id }
      } catch {
        return signal.aborted ? timedOut(timeoutMs) : toDelivery({}, null)
      }
    },
  }
}

const timedOut = (ms: number): Delivery => ({
  outcome: 'retry',
  error: `Resend did not respond within ${ms / 1000} seconds`,
})

function toDelivery(
  { name, message, statusCode }: Failure,
  headers: Record<string, string> | null,
): Delivery {
  const status = statusCode ?? 0
  const error = `Resend${status ? ` responded with ${status}` : ' could not be reached'}: ${message ?? 'no reason given'}`
  if (isTemporary(status, name))
    return { outcome: 'retry', error, retryAfterMs: retryAfterMs(headers?.['retry-after']) }
  return { outcome: 'refused', error }
}

const isTemporary = (status: number, name: string | undefined) =>
  status === 0 ||
  status >= 500 ||
  status === 408 ||
  status === 425 ||
  status === 429 ||
  name === 'concurrent_idempotent_requests'

/** `Retry-After` in milliseconds: seconds, or a date (RFC 9110 §10.2.3). */
function retryAfterMs(value: string | undefined): number | undefined {
  if (!value) return undefined
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now()
  return ms > 0 ? ms : undefined
}
