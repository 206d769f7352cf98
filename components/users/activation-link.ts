import { useQuery } from '@tanstack/react-query'
import { type MailRow, mailOptions } from '@/components/mail/mail-queries'
import { useSearch } from '@/lib/query/search'
import { mailsSearch } from './user-queries'

/** The latest activation mail to an address and, as long as its content is stored, its link. */
export function useActivation(email: string) {
  const mails = useSearch<MailRow>('EngineEmails', mailsSearch([email]))
  const latest = mails.data?.data.find(({ template }) => template.startsWith('activation'))
  const mail = useQuery({ ...mailOptions(latest?.id ?? ''), enabled: latest !== undefined })
  const link = /https?:\/\/\S+\/activate\S*/.exec(mail.data?.content?.text ?? '')?.[0]
  return {
    mail: latest,
    link,
    isPending: mails.isPending || (latest !== undefined && mail.isPending),
    error: mails.error ?? mail.error,
  }
}
