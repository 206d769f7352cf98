import 'server-only'
import type { ActivationProps } from './templates/activation'
import type { ActivationWithPasswordProps } from './templates/activation-with-password'
import type { NewDeviceProps } from './templates/new-device'
import type { ResetPasswordProps } from './templates/reset-password'

/** The data of each kind of mail. */
export type MailContent =
  | { template: 'activation'; props: ActivationProps }
  | { template: 'activation-with-password'; props: ActivationWithPasswordProps }
  | { template: 'new-device'; props: NewDeviceProps }
  | { template: 'reset-password'; props: ResetPasswordProps }
export type TemplateName = MailContent['template']

type Rendered = { subject: string; html: string; text: string }

/**
 * Subject, HTML and plain text of a mail; takes about 10 ms, so call it before a transaction. The
 * first one loads React.
 */
export async function renderMail(content: MailContent): Promise<Rendered> {
  const { renderTemplate } = await import('./templates/render-template')
  return renderTemplate(content)
}
