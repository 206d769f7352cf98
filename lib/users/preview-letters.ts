import { appUrl } from '@/lib/auth/app-url'
import type { Env } from '@/lib/env'
import { type MailContent, renderMail } from '@/lib/mail/render-mail'

/** Placeholder for the address in a preview. */
const ADDRESS = '{email}'

export type LetterPreview = { subject: string; text: string }

/** The two activation mails as they are sent, except for address, link and password. */
export function previewLetters(settings: Env): {
  generate: LetterPreview
  typed: LetterPreview
} {
  const props = { email: ADDRESS, link: `${appUrl(settings)}/activate?token=…` }
  const generate = { ...props, password: '••••••••' }
  const preview = (content: MailContent) => withoutHtml(renderMail(content, settings))
  return {
    generate: preview({ template: 'activation-with-password', props: generate }),
    typed: preview({ template: 'activation', props }),
  }
}

const withoutHtml = ({ subject, text }: LetterPreview): LetterPreview => ({ subject, text })
