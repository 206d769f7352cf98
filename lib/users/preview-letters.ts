import 'server-only'
import { renderMail } from '@/lib/mail/render-mail'

/** Placeholder for the address in a preview. */
const ADDRESS = '{e-mail}'

export type LetterPreview = { subject: string; text: string }

/** The two activation mails as they are sent, except for address, link and password. */
export async function previewLetters(
  appUrl: string,
): Promise<{ generate: LetterPreview; given: LetterPreview }> {
  const props = { email: ADDRESS, link: `${appUrl}/activate?token=…` }
  const [generate, given] = await Promise.all([
    renderMail({ template: 'activation-with-password', props: { ...props, password: '••••••••' } }),
    renderMail({ template: 'activation', props }),
  ])
  return { generate: withoutHtml(generate), given: withoutHtml(given) }
}

const withoutHtml = ({ subject, text }: LetterPreview): LetterPreview => ({ subject, text })
