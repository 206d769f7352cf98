import { MailSamples } from '@/components/mail/mail-samples'
import { Page } from '@/components/shell/page'
import { pageContext } from '@/lib/http/page'
import { previewMails } from '@/lib/mail/preview-mails'

export const metadata = { title: 'Mails' }

export default async function MailsPage() {
  const { deps } = await pageContext('system:read')
  return (
    <Page
      width="narrow"
      title="Mails"
      description="Each mail as this server sends it, about an imaginary person. The settings MAIL_BRAND_* change names, logo, support address and language."
    >
      <MailSamples samples={previewMails(deps.settings)} />
    </Page>
  )
}
