'use client'

import dynamic from 'next/dynamic'
import { useState } from 'react'
import { DraftNotice } from '@/components/drafts/draft-notice'
import { useDraft } from '@/components/drafts/use-draft'
import { mailGoes } from '@/components/mail/mail-queries'
import { useServerFacts } from '@/components/shell/server-facts'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Form } from '@/components/ui/form'
import { FormField } from '@/components/ui/form-field'
import { Input, NameInput } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import { useNavigate } from '@/components/ui/pending-page'
import { RadioCards } from '@/components/ui/radio-cards'
import { toast } from '@/components/ui/toast'
import type { InitialUser } from '@/lib/users/contract'
import { ProfileEditor } from './profile-editor'
import { parseProfile } from './profile-text'
import { RolesField } from './roles-field'
import { createUser, type PasswordChoice, useUserMutation } from './user-queries'

const UserCreated = dynamic(() => import('./user-created'), { ssr: false })

const FIELDS = ['email', 'roles', 'profile', 'password']

/** What is kept as a draft: all but the password. */
type Values = { email: string; roles: string[]; choice: PasswordChoice; profile: string }
const EMPTY: Values = { email: '', roles: [], choice: 'generate', profile: '{}' }

/** Creates an account. */
export function UserForm({ letters }: { letters: Letters }) {
  const navigate = useNavigate()
  const [values, setValues] = useState(EMPTY)
  const { email, roles, choice, profile } = values
  const set = (part: Partial<Values>) => setValues((before) => ({ ...before, ...part }))
  const [password, setPassword] = useState('')
  const [created, setCreated] = useState<InitialUser | null>(null)
  const { sendsMail } = useServerFacts()
  const input = useDraft<Values>({
    form: 'new user',
    what: 'The new user is not created yet.',
    values: JSON.stringify(values) === JSON.stringify(EMPTY) ? null : values,
    restore: setValues,
    reset: () => {
      setValues(EMPTY)
      setPassword('')
    },
  })
  const creation = useUserMutation(createUser)
  const open = ({ userId }: InitialUser) => navigate(`/users/${userId}`)

  function submit() {
    const parsed = parseProfile(profile)
    if (!parsed) return
    const draft = { email, roles, choice, password, profile: parsed }
    creation.mutate(draft, {
      onSuccess: (user) => {
        input.settle()
        if (choice !== 'none' && !sendsMail) return setCreated(user)
        toast.success(`${user.email} is created`)
        open(user)
      },
    })
  }

  return (
    <Form error={creation.error} fields={FIELDS} onSubmit={submit}>
      <DraftNotice restored={input.restored} />
      <Card title="Account">
        <div className="grid gap-4">
          <FormField name="email" label="Email" required>
            <NameInput
              autoFocus
              type="email"
              autoComplete="off"
              value={email}
              onValueChange={(next) => set({ email: next })}
            />
          </FormField>
          <RolesField roles={roles} onChange={(next) => set({ roles: next })} required />
        </div>
      </Card>
      <Card title="Password">
        <div className="grid gap-4">
          <PasswordChoices value={choice} onChange={(next) => set({ choice: next })} />
          {choice === 'typed' && (
            <FormField name="password" label="Their password" required hint="8 to 128 characters">
              <Input
                type="password"
                autoComplete="new-password"
                value={password}
                onValueChange={setPassword}
              />
            </FormField>
          )}
          <MailNote choice={choice} email={email} letters={letters} />
        </div>
      </Card>
      <Card title="Profile" description="Optional. Any fields you like.">
        <ProfileEditor text={profile} onChange={(next) => set({ profile: next })} />
      </Card>
      <div className="flex justify-end gap-2">
        <Button onClick={() => navigate('/users')}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          busy={creation.isPending}
          disabled={!parseProfile(profile)}
        >
          Create user
        </Button>
      </div>
      {created && (
        <UserCreated
          email={created.email}
          withPassword={choice === 'generate'}
          onClose={() => open(created)}
        />
      )}
    </Form>
  )
}

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

/** The activation mails as they would be sent; `{email}` stands for the address. */
export type Letters = Record<'generate' | 'typed', { subject: string; text: string }>

type Props = { value: PasswordChoice; onChange: (choice: PasswordChoice) => void }

const PasswordChoices = ({ value, onChange }: Props) => (
  <RadioCards
    aria-label="Password"
    value={value}
    onValueChange={onChange}
    choices={choices(useServerFacts().sendsMail)}
  />
)

type RemarkProps = { choice: PasswordChoice; email: string; letters: Letters }

/** A preview of the mail to be sent. */
function MailNote({ choice, email, letters }: RemarkProps) {
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
        <p className="mt-1 break-words whitespace-pre-wrap">{text.replaceAll('{email}', to)}</p>
      </details>
    </Notice>
  )
}
