import type { Template } from '../mail-text'

export type RegistrationProps = { email: string; link: string }

export const registration: Template<RegistrationProps> = {
  en: ({ email, link }) => ({
    subject: 'Create your account',
    preview: 'Confirm your address and choose a password.',
    heading: 'Create your account',
    paragraphs: [
      `An account was requested for ${email}, probably by you.`,
      'Confirm that this is your address and choose a password.',
    ],
    action: { label: 'Create account', link },
    footer:
      'The link works once and for 24 hours. If you did not ask for an account, ignore this mail: none is created.',
  }),
  de: ({ email, link }) => ({
    subject: 'Erstellen Sie Ihr Konto',
    preview: 'Bestätigen Sie Ihre Adresse und wählen Sie ein Passwort.',
    heading: 'Erstellen Sie Ihr Konto',
    paragraphs: [
      `Für ${email} wurde ein Konto angefordert, wahrscheinlich von Ihnen.`,
      'Bestätigen Sie, dass dies Ihre Adresse ist, und wählen Sie ein Passwort.',
    ],
    action: { label: 'Konto erstellen', link },
    footer:
      'Der Link funktioniert einmal und 24 Stunden lang. Wenn Sie kein Konto angefordert haben, ignorieren Sie diese E-Mail: Es wird keines erstellt.',
  }),
}
