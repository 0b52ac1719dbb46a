import { useId } from 'preact/hooks'
import { COLOURS, coinName, SHAPE, type Coin } from '../state/coin'

const SIZE = 24

/** The coin of the toolbar, in the sidebar. */
export function CoinMark({ coin }: { coin: Coin }) {
  const id = useId()
  const name = coinName(coin)
  const isHalf = coin.questions > 0
  const radius = coin.isWorking ? SHAPE.small : SHAPE.radius
  const colour = coin.mayRead ? COLOURS.patina : COLOURS.copper
  const letter = { d: SHAPE.letter, 'stroke-width': SHAPE.letterWidth }
  return (
    <svg class="coin" viewBox="0 0 64 64" width={SIZE} height={SIZE} role="img" aria-label={name} data-coin={name}>
      <title>{name}</title>
      <mask id={`${id}-gap`}>
        <rect width="64" height="64" fill="white" />
        {coin.isOffRecord && <Strike colour="black" width={SHAPE.strike.gap} />}
      </mask>
      <clipPath id={`${id}-half`}>
        <rect width={isHalf ? 32 : 64} height="64" />
      </clipPath>
      <g mask={`url(#${id}-gap)`} stroke-linecap="round" stroke-linejoin="round" fill="none" stroke={colour}>
        {coin.isWorking && (
          <circle
            class="rim"
            cx="32"
            cy="32"
            r={SHAPE.rim.radius}
            stroke-width={SHAPE.rim.width}
            stroke-dasharray={SHAPE.rim.dash.join(' ')}
            stroke-linecap="butt"
          />
        )}
        {isHalf && <circle cx="32" cy="32" r={radius - 2.5} stroke-width="5" />}
        {isHalf && <path {...letter} />}
        <g clip-path={`url(#${id}-half)`}>
          <circle cx="32" cy="32" r={radius} fill={colour} stroke="none" />
          {!isHalf && !coin.isWorking && (
            <circle cx="32" cy="32" r={SHAPE.ring.radius} stroke={COLOURS.light} stroke-width={SHAPE.ring.width} />
          )}
          <path {...letter} stroke={COLOURS.light} />
        </g>
      </g>
      {coin.isOffRecord && <Strike colour={colour} width={SHAPE.strike.width} />}
    </svg>
  )
}

function Strike({ colour, width }: { colour: string; width: number }) {
  const { from, to } = SHAPE.strike
  return <path d={`M${from.join(' ')}L${to.join(' ')}`} stroke={colour} stroke-width={width} stroke-linecap="round" />
}
