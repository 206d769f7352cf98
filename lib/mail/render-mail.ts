import { type Brand, type BrandSettings, brandOf } from './brand'
import { toHtml } from './mail-html'
import { type MailText, toPlainText } from './mail-text'
import { type AccountExistsProps, accountExists } from './templates/account-exists'
import { type ActivationProps, activation } from './templates/activation'
import {
  type ActivationWithPasswordProps,
  activationWithPassword,
} from './templates/activation-with-password'
import { type MentionProps, mention } from './templates/mention'
import { type NewDeviceProps, newDevice } from './templates/new-device'
import { type RegistrationProps, registration } from './templates/registration'
import { type ResetPasswordProps, resetPassword } from './templates/reset-password'
import { type TestProps, test } from './templates/test'
import { type WebhookStoppedProps, webhookStopped } from './templates/webhook-stopped'

/** The data of each kind of mail. */
export type MailContent =
  | { template: 'account-exists'; props: AccountExistsProps }
  | { template: 'activation'; props: ActivationProps }
  | { template: 'activation-with-password'; props: ActivationWithPasswordProps }
  | { template: 'mention'; props: MentionProps }
  | { template: 'new-device'; props: NewDeviceProps }
  | { template: 'registration'; props: RegistrationProps }
  | { template: 'reset-password'; props: ResetPasswordProps }
  | { template: 'test'; props: TestProps }
  | { template: 'webhook-stopped'; props: WebhookStoppedProps }
export type TemplateName = MailContent['template']

type Rendered = { subject: string; html: string; text: string }

/** Subject, HTML and plain text of a mail, with the names and in the language of the settings. */
export function renderMail(content: MailContent, settings: BrandSettings): Rendered {
  const brand = brandOf(settings)
  const mail = write(content, brand)
  const subject = brand.product ? `${mail.subject} – ${brand.product}` : mail.subject
  return { subject, html: toHtml(mail, brand), text: toPlainText(mail, brand) }
}

function write(content: MailContent, { language }: Brand): MailText {
  switch (content.template) {
    case 'account-exists':
      return accountExists[language](content.props)
    case 'activation':
      return activation[language](content.props)
    case 'activation-with-password':
      return activationWithPassword[language](content.props)
    case 'mention':
      return mention[language](content.props)
    case 'new-device':
      return newDevice[language](content.props)
    case 'registration':
      return registration[language](content.props)
    case 'reset-password':
      return resetPassword[language](content.props)
    case 'test':
      return test[language](content.props)
    case 'webhook-stopped':
      return webhookStopped[language](content.props)
  }
}
