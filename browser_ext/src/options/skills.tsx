import { say } from '../say'

/** Link to the skills, which the server stores for all browsers. */
export function Skills({ server }: { server: string }) {
  return (
    <section class="part" aria-labelledby="skills">
      <h2 id="skills">{say('skills')}</h2>
      <p>{say('skills_lead')}</p>
      <p>
        <a id="skills-page" href={`${server}/skills/`} target="_blank" rel="noopener">
          {say('skills_open')}
        </a>
      </p>
    </section>
  )
}
