import type { MailText } from '../mail-html'

export type ActivationWithPasswordProps = { email: string; link: string; password: string }

export const activationWithPassword = (props: ActivationWithPasswordProps): MailText => ({
  subject: 'Activate your account: your password is inside',
  preview: 'Your first password, and the link that activates your account.',
  heading: 'Activate your account',
  paragraphs: [
    `An account was created for ${props.email}.`,
    'Activate it, sign in with the password below, and choose one of your own.',
  ],
  secret: { label: 'Your password:', value: props.password },
  action: { label: 'Activate account', link: props.link },
  footer: 'The link works once and for 7 days. If you do not expect this mail, ignore it.',
})
