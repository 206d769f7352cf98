import { MailLayout } from './mail-layout'

export type ResetPasswordProps = { email: string; link: string }

export const resetPasswordSubject = 'Set a new password'

export const ResetPassword = ({ email, link }: ResetPasswordProps) => (
  <MailLayout
    preview="The link works for one hour."
    heading="Set a new password"
    paragraphs={[`Somebody, probably you, asked for a new password for ${email}.`]}
    action={{ label: 'Set a new password', link }}
    footer="The link works once and for one hour. If you did not ask for it, ignore this mail: nothing has changed."
  />
)
