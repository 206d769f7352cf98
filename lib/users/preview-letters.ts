import { renderMail } from '@/lib/mail/render-mail'

/** Placeholder for the address in a preview. */
const ADDRESS = '{email}'

export type LetterPreview = { subject: string; text: string }

/** The two activation mails as they are sent, except for address, link and password. */
export function previewLetters(appUrl: string): {
  generate: LetterPreview
  typed: LetterPreview
} {
  const props = { email: ADDRESS, link: `${appUrl}/activate?token=…` }
  const generate = { ...props, password: '••••••••' }
  return {
    generate: withoutHtml(renderMail({ template: 'activation-with-password', props: generate })),
    typed: withoutHtml(renderMail({ template: 'activation', props })),
  }
}

const withoutHtml = ({ subject, text }: LetterPreview): LetterPreview => ({ subject, text })
