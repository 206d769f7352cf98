/** A mail ready to be sent. */
export type OutgoingMail = { from: string; to: string; subject: string; html: string; text: string }

/** Outcome of an attempt. `retry`: a later attempt may succeed; `refused`: no later attempt can. */
export type Delivery =
  | { outcome: 'accepted'; providerId: string | null }
  | { outcome: 'retry'; error: string; retryAfterMs?: number }
  | { outcome: 'refused'; error: string }

/** A service that delivers mails. */
export interface MailProvider {
  /** Who it is to administrators: `Resend`, or the host of a mail server. */
  readonly name: string
  /**
   * Never throws, and returns within 50 s. A mail that is sent twice with one `idempotencyKey`
   * within 24 h must reach the recipient once, as far as the service can tell.
   */
  send(mail: OutgoingMail, idempotencyKey: string): Promise<Delivery>
}
