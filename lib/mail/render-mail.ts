import 'server-only'
import { render } from '@react-email/render'
import { Activation, type ActivationProps, activationSubject } from './templates/activation'
import {
  ActivationWithPassword,
  type ActivationWithPasswordProps,
  activationWithPasswordSubject,
} from './templates/activation-with-password'
import {
  ResetPassword,
  type ResetPasswordProps,
  resetPasswordSubject,
} from './templates/reset-password'

/** The data of each kind of mail. */
export type MailContent =
  | { template: 'activation'; props: ActivationProps }
  | { template: 'activation-with-password'; props: ActivationWithPasswordProps }
  | { template: 'reset-password'; props: ResetPasswordProps }
export type TemplateName = MailContent['template']

type Rendered = { subject: string; html: string; text: string }

/** Subject, HTML and plain text of a mail; takes about 10 ms, so call it before a transaction. */
export async function renderMail(content: MailContent): Promise<Rendered> {
  const { subject, element } = write(content)
  const [html, text] = await Promise.all([render(element), render(element, { plainText: true })])
  return { subject, html, text }
}

function write(content: MailContent) {
  switch (content.template) {
    case 'activation':
      return { subject: activationSubject, element: Activation(content.props) }
    case 'activation-with-password':
      return {
        subject: activationWithPasswordSubject,
        element: ActivationWithPassword(content.props),
      }
    case 'reset-password':
      return { subject: resetPasswordSubject, element: ResetPassword(content.props) }
  }
}
