'use client'
import { useQuery } from '@tanstack/react-query'
import { mailOptions } from '@/components/mail/mail-queries'
import type { MailRow } from '@/components/mail/mail-search'
import { CopyButton } from '@/components/ui/copy-button'
import { useSearch } from '@/lib/query/search'
import type { User } from '@/lib/users/contract'
import { mailsSearch } from './users-search'

/** The link of the latest activation mail, as long as the outbox stores its content. */
export function CopyActivationLink({ user }: { user: User }) {
  const mails = useSearch<MailRow>('EngineEmails', mailsSearch([user.email]))
  const latest = mails.data?.data.find(({ template }) => template.startsWith('activation'))
  const mail = useQuery({ ...mailOptions(latest?.id ?? ''), enabled: latest !== undefined })
  const link = /https?:\/\/\S+\/activate\S*/.exec(mail.data?.content?.text ?? '')?.[0]
  return link ? <CopyButton showLabel label="Copy activation link" text={link} /> : null
}
