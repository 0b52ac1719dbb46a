import { Examples } from '../conversation/examples'
import { say } from '../say'
import type { PageData } from './page_data'

/** What can be asked, and what Penny still lacks. */
export function Empty({ missing, server }: { missing: PageData['missing']; server: string }) {
  return (
    <>
      <Examples hasModel={!missing.includes('model')} hasBrowser={!missing.includes('browser')} />
      {missing.includes('browser') && (
        <p>
          {say('web_no_browser')} <a href={`${server}/setup/#browsers`}>{say('web_connect_browser')}</a>
        </p>
      )}
      {missing.includes('model') && (
        <p>
          {say('web_no_model')} <a href={`${server}/settings/model/`}>{say('web_set_model')}</a>
        </p>
      )}
    </>
  )
}
