import type { MailText } from '../mail-html'

export type ResetPasswordProps = { email: string; link: string }

export const resetPassword = ({ email, link }: ResetPasswordProps): MailText => ({
  subject: 'Set a new password',
  preview: 'The link works for one hour.',
  heading: 'Set a new password',
  paragraphs: [`A new password was requested for ${email}, probably by you.`],
  action: { label: 'Set a new password', link },
  footer:
    'The link works once and for one hour. If you did not ask for it, ignore this mail: nothing has changed.',
})
