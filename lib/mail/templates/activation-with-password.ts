import type { Template } from '../mail-text'

export type ActivationWithPasswordProps = { email: string; link: string; password: string }

export const activationWithPassword: Template<ActivationWithPasswordProps> = {
  en: ({ email, link, password }) => ({
    subject: 'Activate your account: your password is inside',
    preview: 'Your first password, and the link that activates your account.',
    heading: 'Activate your account',
    paragraphs: [
      `An account was created for ${email}.`,
      'Activate it, sign in with the password below, and choose one of your own.',
    ],
    secret: { label: 'Your password:', value: password },
    action: { label: 'Activate account', link },
    footer: 'The link works once and for 7 days. If you do not expect this mail, ignore it.',
  }),
  de: ({ email, link, password }) => ({
    subject: 'Aktivieren Sie Ihr Konto: Ihr Passwort liegt bei',
    preview: 'Ihr erstes Passwort und der Link, der Ihr Konto aktiviert.',
    heading: 'Aktivieren Sie Ihr Konto',
    paragraphs: [
      `Für ${email} wurde ein Konto angelegt.`,
      'Aktivieren Sie es, melden Sie sich mit dem Passwort unten an und wählen Sie ein eigenes.',
    ],
    secret: { label: 'Ihr Passwort:', value: password },
    action: { label: 'Konto aktivieren', link },
    footer:
      'Der Link funktioniert einmal und 7 Tage lang. Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie.',
  }),
}
