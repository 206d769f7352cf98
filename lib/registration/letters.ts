import { appUrl } from '@/lib/auth/app-url'
import type { UserRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { putInOutbox } from '@/lib/mail/outbox'
import { type MailContent, renderMail } from '@/lib/mail/render-mail'
import { activationLetter, type Letter, resetLetter } from '@/lib/users/letter'
import { mayRegister } from './may-register'
import { sealRegistration } from './token'

type LetterDeps = Pick<Deps, 'settings' | 'secret'>
type Answer = { letter: Letter; isSent: boolean }

/** What the owner of an address is told. One that is not sent is written all the same, for its time. */
export async function answerTo(
  deps: LetterDeps,
  email: string,
  user: UserRow | null,
): Promise<Answer> {
  const token = await sealRegistration(deps, email)
  switch (user?.status) {
    case 'REQUIRED_ACTIVATION':
      return { letter: activationLetter(deps, user), isSent: true }
    case 'REQUIRED_RESET_PASSWORD':
      return { letter: resetLetter(deps, user), isSent: true }
    case 'ACTIVATED':
      return {
        letter: existsLetter(deps, user),
        isSent: deps.settings.REGISTRATION.by !== 'invited',
      }
    default: {
      const isSent = !user && mayRegister(deps.settings, email)
      return { letter: registrationLetter(deps, email, token), isSent }
    }
  }
}

function registrationLetter(deps: LetterDeps, email: string, token: string): Letter {
  const link = `${appUrl(deps.settings)}/register/confirm?token=${token}`
  return letter(deps, null, { template: 'registration', props: { email, link } })
}

function existsLetter(deps: LetterDeps, { id, email }: UserRow): Letter {
  const url = appUrl(deps.settings)
  const props = { email, link: `${url}/login`, resetLink: `${url}/forgot-password` }
  return letter(deps, id, { template: 'account-exists', props })
}

function letter(
  { settings, secret }: LetterDeps,
  userId: string | null,
  content: MailContent,
): Letter {
  const rendered = renderMail(content, settings)
  const mail = { from: settings.MAIL_FROM, to: content.props.email, ...rendered }
  const { template } = content
  return { write: (tx) => putInOutbox(tx, secret, { template, userId, mail }) }
}
