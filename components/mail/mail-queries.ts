import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listQuery } from '@/components/lists/list-query'
import type { ServerFacts } from '@/components/shell/server-facts'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/http/client'
import type { Mail } from '@/lib/mail/contract'
import { itemOptions } from '@/lib/query/item-options'

/** One mail with its content while that is kept. */
export const mailOptions = (id: string) =>
  itemOptions<Mail>(['mail', id], `/api/mails/${encodeURIComponent(id)}`)

/** Sends a failed or waiting mail now. */
export function useRetryMail(id: string, done: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api<Mail>(`/api/mails/${encodeURIComponent(id)}/retry`, { method: 'POST' }),
    onSuccess: () => toast.success(done),
    onError: (error) => toast.error(error.message),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['mail', id] }),
        client.invalidateQueries({ queryKey: ['search', 'EngineEmails'] }),
      ]),
  })
}

/** What happens to a mail to `to`: without a provider it stays on the server. */
export const mailGoes = ({ sendsMail }: ServerFacts, what: string, to: string): string =>
  sendsMail ? `${what} is sent to ${to}` : `${what} to ${to} is kept in the outbox`

/** A row of `EngineEmails`. */
export type MailRow = Omit<Mail, 'nextAttemptAt' | 'content'>

/** The outbox, the latest mail first. */
export const mailQuery = listQuery('EngineEmails', {
  searchIn: ['to', 'subject'],
  order: { field: 'createdAt', direction: 'desc' },
})
