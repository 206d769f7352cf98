/** A mail as it leaves: rendered, complete. */
export type OutgoingMail = { from: string; to: string; subject: string; html: string; text: string }

/** What became of an attempt. `retry`: later may go better; `refused`: the same mail never will. */
export type Delivery =
  | { outcome: 'accepted'; providerId: string | null }
  | { outcome: 'retry'; error: string; retryAfterMs?: number }
  | { outcome: 'refused'; error: string }

/** Whoever carries mails to people. */
export interface MailProvider {
  /**
   * Never throws, and answers within 15 s. Sending twice with one `idempotencyKey` within 24 h must
   * reach the recipient once.
   */
  send(mail: OutgoingMail, idempotencyKey: string): Promise<Delivery>
}
