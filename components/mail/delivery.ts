import type { ServerFacts } from '@/components/shell/server-facts'

/** What becomes of a mail to `to`: without a provider nothing leaves the server. */
export const mailGoes = ({ sendsMail }: ServerFacts, what: string, to: string): string =>
  sendsMail ? `${what} goes to ${to}` : `${what} to ${to} is kept in the outbox`
