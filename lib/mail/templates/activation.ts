import type { Template } from '../mail-text'

export type ActivationProps = { email: string; link: string }

export const activation: Template<ActivationProps> = {
  en: ({ email, link }) => ({
    subject: 'Activate your account',
    preview: 'One click and you can sign in.',
    heading: 'Activate your account',
    paragraphs: [
      `An account was created for ${email}.`,
      'Activate it, then sign in with the password that was set for it.',
    ],
    action: { label: 'Activate account', link },
    footer: 'The link works once and for 7 days. If you do not expect this mail, ignore it.',
  }),
  de: ({ email, link }) => ({
    subject: 'Aktivieren Sie Ihr Konto',
    preview: 'Ein Klick, und Sie können sich anmelden.',
    heading: 'Aktivieren Sie Ihr Konto',
    paragraphs: [
      `Für ${email} wurde ein Konto angelegt.`,
      'Aktivieren Sie es und melden Sie sich dann mit dem Passwort an, das dafür festgelegt wurde.',
    ],
    action: { label: 'Konto aktivieren', link },
    footer:
      'Der Link funktioniert einmal und 7 Tage lang. Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie.',
  }),
}
