/** What a mail says; `toHtml` and `toPlainText` lay it out. Texts, not markup. */
export type MailText = {
  subject: string
  /** Shown beside the subject in lists of mails. */
  preview: string
  heading: string
  paragraphs: readonly string[]
  /** To be copied exactly. */
  secret?: { label: string; value: string }
  action: { label: string; link: string }
  footer: string
}

export const FALLBACK = 'If the button does not work, open this address:'

/** The mail for clients that show no HTML, and for people who read that. */
export function toPlainText({ heading, paragraphs, secret, action, footer }: MailText): string {
  const parts = [
    heading.toUpperCase(),
    ...paragraphs,
    ...(secret ? [`${secret.label} ${secret.value}`] : []),
    `${action.label}: ${action.link}`,
    footer,
  ]
  return parts.join('\n\n')
}
