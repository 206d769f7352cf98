import { MailLayout } from './mail-layout'

export type ActivationWithPasswordProps = { email: string; link: string; password: string }

export const activationWithPasswordSubject = 'Activate your account: your password is inside'

export const ActivationWithPassword = ({ email, link, password }: ActivationWithPasswordProps) => (
  <MailLayout
    preview="Your first password, and the link that activates your account."
    heading="Activate your account"
    paragraphs={[
      `An account was created for ${email}.`,
      'Activate it, sign in with the password below, and choose one of your own.',
    ]}
    secret={{ label: 'Your password:', value: password }}
    action={{ label: 'Activate account', link }}
    footer="The link works once and for 7 days. If you do not expect this mail, ignore it."
  />
)
