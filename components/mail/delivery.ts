import type { ServerFacts } from '@/components/shell/server-facts'

/** What happens to a mail to `to`: without a provider it stays on the server. */
export const mailGoes = ({ sendsMail }: ServerFacts, what: string, to: string): string =>
  sendsMail ? `${what} is sent to ${to}` : `${what} to ${to} is kept in the outbox`
