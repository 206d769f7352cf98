import type { SmtpServer } from '@/lib/env'
import type { MailProvider, OutgoingMail } from './provider'
import { toDelivery, toWords } from './smtp-fault'

/** All that an attempt may take: less than the claim of the outbox, so that no other worker begins meanwhile. */
const SEND_TIMEOUT_MS = 45_000

type Options = {
  /** Trusted in place of the authorities that Node knows. */
  ca?: string
  /** Time limits of phases: until the connection stands, until the greeting, and of each silence after it. */
  connectMs?: number
  greetingMs?: number
  silenceMs?: number
  /** Of the whole attempt. */
  timeoutMs?: number
}

/**
 * Delivery by a mail server. SMTP knows no idempotency keys: the key becomes the `Message-ID`, by
 * which mailboxes recognize a copy, where a connection broke before the server's last word came.
 */
export function smtpProvider(server: SmtpServer, options: Options = {}): MailProvider {
  // Loaded by the first mail.
  let pool: ReturnType<typeof openPool> | undefined
  const { timeoutMs = SEND_TIMEOUT_MS } = options
  return {
    name: server.host,
    send: async (mail, idempotencyKey) => {
      const signal = AbortSignal.timeout(timeoutMs)
      pool ??= openPool(server, options)
      const transport = await pool
      try {
        const { response } = await transport.sendMail({
          ...toMessage(mail, idempotencyKey),
          signal,
        })
        return { outcome: 'accepted', providerId: toWords(response, server) }
      } catch (error) {
        if (!signal.aborted) return toDelivery(error, server)
        const seconds = timeoutMs / 1000
        return { outcome: 'retry', error: `${server.host} took more than ${seconds} seconds` }
      }
    },
  }
}

async function openPool(
  { host, port, tls, login }: SmtpServer,
  { ca, connectMs = 10_000, greetingMs = 10_000, silenceMs = 30_000 }: Options,
) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...{ host, port, secure: tls === 'implicit', requireTLS: tls === 'starttls' },
    ignoreTLS: tls === 'off',
    tls: { ca, minVersion: 'TLSv1.2', rejectUnauthorized: true },
    ...(login ? { auth: { user: login.user, pass: login.password }, forceAuth: true } : {}),
    pool: true,
    maxMessages: 50, // of one connection: servers limit them
    maxRequeues: 0, // the outbox decides what is tried again
    idleTimeout: 10_000,
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: silenceMs,
    socketCloseTimeout: 0, // an attempt that ended sends nothing more
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** The mail with HTML and plain text, whose `Message-ID` is `id` at the sender's domain. */
function toMessage({ from, to, subject, html, text }: OutgoingMail, id: string) {
  const domain = /@([^@<>\s]+)>?$/.exec(from.trim())?.[1] ?? 'localhost'
  return {
    ...{ from, to: { name: '', address: to }, subject, html, text },
    messageId: `<${id}@${domain}>`,
    // Nobody is away or on holiday for a program (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
