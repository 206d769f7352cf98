import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { setSignInAgain } from '@/lib/http/sign-in-again'
import { keepSession } from './keep-session'

const SignInDialog = dynamic(() => import('./sign-in-dialog'), { ssr: false })

type Answer = (signedIn: boolean) => void

/** Keeps the session while the console is used. When a request meets an ended one, asks the user to sign in over what they are doing. */
export function SessionGuard() {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const router = useRouter()
  useEffect(() => {
    setSignInAgain(() => new Promise<boolean>((resolve) => setAnswer(() => resolve)))
    return () => setSignInAgain(null)
  }, [])
  useEffect(keepSession, [])
  if (!answer) return null
  const onAnswer: Answer = (signedIn) => {
    setAnswer(null)
    answer(signedIn)
    if (signedIn) router.refresh() // the user's roles may be others
  }
  return <SignInDialog onAnswer={onAnswer} />
}
