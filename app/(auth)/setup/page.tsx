import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { SetUpForm } from '@/components/auth/set-up-form'
import { hasAdministrator } from '@/lib/bootstrap/create-first-administrator'
import { publicPageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Set up' }

export default async function SetUpPage() {
  const { deps } = await publicPageContext()
  if (await hasAdministrator(deps.db)) redirect('/login')
  return (
    <>
      <h1 className="text-xl font-semibold">Create the first administrator</h1>
      <p>This page is gone as soon as there is one.</p>
      <SetUpForm />
    </>
  )
}
