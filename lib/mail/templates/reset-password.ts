import type { Template } from '../mail-text'

export type ResetPasswordProps = { email: string; link: string }

export const resetPassword: Template<ResetPasswordProps> = {
  en: ({ email, link }) => ({
    subject: 'Set a new password',
    preview: 'The link works for one hour.',
    heading: 'Set a new password',
    paragraphs: [`A new password was requested for ${email}, probably by you.`],
    action: { label: 'Set a new password', link },
    footer:
      'The link works once and for one hour. If you did not ask for it, ignore this mail: nothing has changed.',
  }),
  de: ({ email, link }) => ({
    subject: 'Legen Sie ein neues Passwort fest',
    preview: 'Der Link funktioniert eine Stunde lang.',
    heading: 'Legen Sie ein neues Passwort fest',
    paragraphs: [`Für ${email} wurde ein neues Passwort angefordert, wahrscheinlich von Ihnen.`],
    action: { label: 'Neues Passwort festlegen', link },
    footer:
      'Der Link funktioniert einmal und eine Stunde lang. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Es hat sich nichts geändert.',
  }),
}
