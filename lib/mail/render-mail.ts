import { type MailText, toHtml, toPlainText } from './mail-html'
import { type ActivationProps, activation } from './templates/activation'
import {
  type ActivationWithPasswordProps,
  activationWithPassword,
} from './templates/activation-with-password'
import { type NewDeviceProps, newDevice } from './templates/new-device'
import { type ResetPasswordProps, resetPassword } from './templates/reset-password'
import { type WebhookStoppedProps, webhookStopped } from './templates/webhook-stopped'

/** The data of each kind of mail. */
export type MailContent =
  | { template: 'activation'; props: ActivationProps }
  | { template: 'activation-with-password'; props: ActivationWithPasswordProps }
  | { template: 'new-device'; props: NewDeviceProps }
  | { template: 'reset-password'; props: ResetPasswordProps }
  | { template: 'webhook-stopped'; props: WebhookStoppedProps }
export type TemplateName = MailContent['template']

type Rendered = { subject: string; html: string; text: string }

/** Subject, HTML and plain text of a mail. */
export function renderMail(content: MailContent): Rendered {
  const mail = write(content)
  return { subject: mail.subject, html: toHtml(mail), text: toPlainText(mail) }
}

function write(content: MailContent): MailText {
  switch (content.template) {
    case 'activation':
      return activation(content.props)
    case 'activation-with-password':
      return activationWithPassword(content.props)
    case 'new-device':
      return newDevice(content.props)
    case 'reset-password':
      return resetPassword(content.props)
    case 'webhook-stopped':
      return webhookStopped(content.props)
  }
}
