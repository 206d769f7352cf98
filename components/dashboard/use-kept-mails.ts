import type { MailRow } from '@/components/mail/mail-queries'
import { useSearch } from '@/lib/query/search'
import type { User } from '@/lib/users/contract'
import { ATTENTION, activatedAmong } from './dashboard-searches'

const SHOWN = 5

/** The mails that nobody sends, the latest first, but for those that people needed to become active, who are by now. */
export function useKeptMails(enabled: boolean): { mails: MailRow[]; total: number } {
  const { entity, search } = ATTENTION.keptMails
  const kept = useSearch<MailRow>(entity, search, { enabled })
  const mails = enabled ? (kept.data?.data ?? []) : []
  const invitations = mails.filter(({ template }) => /^(activation|registration)/.test(template))
  const emails = [...new Set(invitations.map(({ to }) => to))].sort()
  const users = useSearch<User>('EngineUsers', activatedAmong(emails), {
    enabled: emails.length > 0,
  })
  const active = new Set(users.data?.data.map(({ email }) => email))
  const open = mails.filter((mail) => !(invitations.includes(mail) && active.has(mail.to)))
  const total = (enabled && kept.data?.pagination?.total) || 0
  return { mails: open.slice(0, SHOWN), total: total - (mails.length - open.length) }
}
