import 'server-only'
import { render } from '@react-email/render'
import type { MailContent } from '../render-mail'
import { Activation, activationSubject } from './activation'
import { ActivationWithPassword, activationWithPasswordSubject } from './activation-with-password'
import { NewDevice, newDeviceSubject } from './new-device'
import { ResetPassword, resetPasswordSubject } from './reset-password'

/** Subject, HTML and plain text of a mail. */
export async function renderTemplate(content: MailContent) {
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
    case 'new-device':
      return { subject: newDeviceSubject, element: NewDevice(content.props) }
    case 'reset-password':
      return { subject: resetPasswordSubject, element: ResetPassword(content.props) }
  }
}
