import type { Template } from '../mail-text'

export type AccountExistsProps = { email: string; link: string; resetLink: string }

/** To a person who registers again: the page that asked says nothing of it. */
export const accountExists: Template<AccountExistsProps> = {
  en: ({ email, link, resetLink }) => ({
    subject: 'You have an account already',
    preview: 'Sign in, or set a new password.',
    heading: 'You have an account already',
    paragraphs: [
      `An account was requested for ${email}, probably by you. There is one with this address: sign in.`,
      `If you have forgotten the password, set a new one: ${resetLink}`,
    ],
    action: { label: 'Sign in', link },
    footer: 'If you did not ask for an account, ignore this mail: nothing has changed.',
  }),
  de: ({ email, link, resetLink }) => ({
    subject: 'Sie haben bereits ein Konto',
    preview: 'Melden Sie sich an oder legen Sie ein neues Passwort fest.',
    heading: 'Sie haben bereits ein Konto',
    paragraphs: [
      `Für ${email} wurde ein Konto angefordert, wahrscheinlich von Ihnen. Es gibt eines mit dieser Adresse: Melden Sie sich an.`,
      `Wenn Sie das Passwort vergessen haben, legen Sie ein neues fest: ${resetLink}`,
    ],
    action: { label: 'Anmelden', link },
    footer:
      'Wenn Sie kein Konto angefordert haben, ignorieren Sie diese E-Mail: Es hat sich nichts geändert.',
  }),
}
