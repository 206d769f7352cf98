import type { SmtpServer } from '@/lib/env'
import type { Delivery } from './provider'

/** What nodemailer throws. */
type Fault = { code?: string; response?: string; responseCode?: number; message?: string }

/** Faults of what we send or are allowed to, that no later attempt changes. */
const FINAL = ['EAUTH', 'EENVELOPE', 'EMESSAGE']

/**
 * What becomes of the mail: 4xx and broken connections are tried again, 5xx are final. Nothing was
 * said about the mail where the connection could not be encrypted, so that is tried again, too.
 */
export function toDelivery(error: unknown, server: SmtpServer): Delivery {
  const { code, response, responseCode = 0, message = 'no reason given' } = error as Fault
  if (code === 'ETLS') return { outcome: 'retry', error: noTls(response ?? message, server) }
  if (!response || responseCode < 400) {
    const outcome = FINAL.includes(code ?? '') ? 'refused' : 'retry'
    return {
      outcome,
      error: `The connection to ${server.host} failed: ${toWords(message, server)}`,
    }
  }
  const outcome = responseCode < 500 ? 'retry' : 'refused'
  return { outcome, error: `${server.host} responded with ${toWords(response, server)}` }
}

const noTls = (reason: string, server: SmtpServer) =>
  `${server.host} did not begin TLS (STARTTLS), without which nothing is sent: ${toWords(reason, server)}`

const LONGEST = 300

/**
 * A reply in one line: `450: 4.2.0 Try later`. Some servers repeat what they did not understand, so
 * the password is removed in each form in which it is sent.
 */
export function toWords(reply: string, { login }: SmtpServer): string {
  const line = reply
    .trim()
    .replace(/\r?\n\d{3}[ -]/g, ' ')
    .replace(/^(\d{3})[ -]/, '$1: ')
    .replace(/[\p{C}\s]+/gu, ' ')
  const said = login
    ? secretsOf(login).reduce((text, secret) => text.replaceAll(secret, '…'), line)
    : line
  return said.slice(0, LONGEST)
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

const secretsOf = ({ user, password }: NonNullable<SmtpServer['login']>) => [
  base64(`\0${user}\0${password}`),
  base64(password),
  password,
]
