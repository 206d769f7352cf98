import { mailGoes } from '@/components/mail/delivery'
import { useServerFacts } from '@/components/shell/server-facts'
import { Notice } from '@/components/ui/notice'
import { RadioCards } from '@/components/ui/radio-cards'
import type { PasswordChoice } from './user-acts'

const choices = (sendsMail: boolean) =>
  [
    {
      value: 'generate',
      label: 'Make a password',
      hint: `A random one is ${sendsMail ? 'mailed' : 'put into a mail'} with the activation link, and must be changed at the first sign-in.`,
    },
    {
      value: 'given',
      label: 'Give a password',
      hint: 'The mail holds the activation link only. Tell the password yourself.',
    },
    {
      value: 'none',
      label: 'No password yet',
      hint: 'No mail. They can’t sign in until a password is set by hand or through a reset.',
    },
  ] as const

/** The activation mails as they would be sent; `{e-mail}` stands for the address. */
export type Letters = Record<'generate' | 'given', { subject: string; text: string }>

type Props = { value: PasswordChoice; onChange: (choice: PasswordChoice) => void }

export const PasswordChoices = ({ value, onChange }: Props) => (
  <RadioCards
    aria-label="Password"
    value={value}
    onValueChange={onChange}
    choices={choices(useServerFacts().sendsMail)}
  />
)

type NoteProps = { choice: PasswordChoice; email: string; letters: Letters }

/** What is going to be mailed, before it is. */
export function MailNote({ choice, email, letters }: NoteProps) {
  const facts = useServerFacts()
  const to = email.trim() || 'them'
  if (choice === 'none')
    return <Notice title="No mail is written">The account waits for a password.</Notice>
  const { subject, text } = letters[choice]
  return (
    <Notice title={mailGoes(facts, 'A mail', to)}>
      {choice === 'generate'
        ? 'It holds their password and a link that activates the account; the link works for 7 days.'
        : 'It holds a link that activates the account and works for 7 days.'}
      {!facts.sendsMail &&
        ' No provider is set, so nothing is sent: read it on the Mail page and hand the link on.'}
      <details className="mt-1.5">
        <summary className="w-fit cursor-pointer rounded">Read it</summary>
        <p className="mt-2 font-medium">{subject}</p>
        <p className="mt-1 break-words whitespace-pre-wrap">{text.replaceAll('{e-mail}', to)}</p>
      </details>
    </Notice>
  )
}
