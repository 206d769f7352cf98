import type { MailText } from '../mail-html'

export type ActivationProps = { email: string; link: string }

export const activation = ({ email, link }: ActivationProps): MailText => ({
  subject: 'Activate your account',
  preview: 'One click and you can sign in.',
  heading: 'Activate your account',
  paragraphs: [
    `An account was created for ${email}.`,
    'Activate it, then sign in with the password that was set for it.',
  ],
  action: { label: 'Activate account', link },
  footer: 'The link works once and for 7 days. If you do not expect this mail, ignore it.',
})
