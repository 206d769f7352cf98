import { type Brand, type Language, signatureOf } from './brand'

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

/** A kind of mail in every language. */
export type Template<Props> = Record<Language, (props: Props) => MailText>

/** What each mail says besides. */
export const WORDS: Record<Language, { fallback: string; help: string }> = {
  en: { fallback: 'If the button does not work, open this address:', help: 'Help:' },
  de: { fallback: 'Wenn der Knopf nicht funktioniert, öffnen Sie diese Adresse:', help: 'Hilfe:' },
}

/** The mail for clients that show no HTML, and for people who read that. */
export function toPlainText(mail: MailText, brand: Brand): string {
  const { heading, paragraphs, secret, action, footer } = mail
  const help = brand.support && `${WORDS[brand.language].help} ${brand.support}`
  const parts = [
    heading.toUpperCase(),
    ...paragraphs,
    secret && `${secret.label} ${secret.value}`,
    `${action.label}: ${action.link}`,
    footer,
    [signatureOf(brand), help].filter(Boolean).join('\n'),
  ]
  return parts.filter(Boolean).join('\n\n')
}
