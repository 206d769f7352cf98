import { mailGoes } from '@/components/mail/mail-queries'
import { useServerFacts } from '@/components/shell/server-facts'
import { Notice } from '@/components/ui/notice'
import { RadioCards } from '@/components/ui/radio-cards'
import type { PasswordChoice } from './user-queries'

const choices = (sendsMail: boolean) =>
  [
    {
      value: 'generate',
      label: 'Generate a password',
      hint: `A random password is ${sendsMail ? 'sent' : 'put into a mail'} with the activation link and must be changed at the first sign-in.`,
    },
    {
      value: 'typed',
      label: 'Set a password',
      hint: 'The mail contains only the activation link. Share the password yourself.',
    },
    {
      value: 'none',
      label: 'No password yet',
      hint: 'They can’t sign in until a password is set or reset.',
    },
  ] as const

/** The activation mails as they would be sent; `{e-mail}` stands for the address. */
export type Letters = Record<'generate' | 'typed', { subject: string; text: string }>

type Props = { value: PasswordChoice; onChange: (choice: PasswordChoice) => void }

export const PasswordChoices = ({ value, onChange }: Props) => (
  <RadioCards
    aria-label="Password"
    value={value}
    onValueChange={onChange}
    choices={choices(useServerFacts().sendsMail)}
  />
)

type RemarkProps = { choice: PasswordChoice; email: string; letters: Letters }

/** A preview of the mail to be sent. */
export function MailNote({ choice, email, letters }: RemarkProps) {
  const facts = useServerFacts()
  const to = email.trim() || 'them'
  if (choice === 'none')
    return (
      <Notice title="No mail is sent">
        The account needs a password before the first sign-in.
      </Notice>
    )
  const { subject, text } = letters[choice]
  return (
    <Notice title={mailGoes(facts, 'A mail', to)}>
      {choice === 'generate'
        ? 'It contains their password and an activation link that is valid for 7 days.'
        : 'It contains an activation link that is valid for 7 days.'}
      {!facts.sendsMail &&
        ' No mail provider is configured, so nothing is sent: the link is shown for you to copy once the user is created.'}
      <details className="mt-1.5">
        <summary className="w-fit cursor-pointer rounded">Preview</summary>
        <p className="mt-2 font-medium">{subject}</p>
        <p className="mt-1 break-words whitespace-pre-wrap">{text.replaceAll('{e-mail}', to)}</p>
      </details>
    </Notice>
  )
}
