import { PACES } from '../animation/player';
import { BEGIN } from '../animation/timeline';
import { seconds } from '../format';
import type { Studio } from '../studio';
import { CommandButton } from './header';
import { IconButton } from './icon';
import { useStore } from './use';

/** Steps of the slider. */
const STEPS = 1000;

/** The animation's time, and its controls. */
export function PlayerBar({ studio }: { studio: Studio }) {
  const { player } = studio;
  const played = useStore(player.played);
  const moment = useStore(player.moment);
  const playing = useStore(player.playing);
  const pace = useStore(player.pace);
  const told = useStore(player.told);
  const loading = useStore(player.loading);
  const error = useStore(player.error);
  if (!played && !loading && error === null) return null;
  const end = played?.timeline.endS ?? 0;
  const count = played?.timeline.length ?? 0;
  const seek = (place: string) => {
    player.pause();
    player.seek((Number(place) / STEPS) * end);
  };
  return (
    <section class="player" aria-label="Animation">
      <IconButton icon="begin" label="Go to the start" onClick={() => player.toStart()} />
      <CommandButton studio={studio} icon="previous" command="Previous event" />
      <CommandButton
        studio={studio}
        icon={playing ? 'pause' : 'play'}
        command="Play or pause"
        label={playing ? 'Pause' : 'Play'}
      />
      <CommandButton studio={studio} icon="next" command="Next event" />
      <input
        type="range"
        aria-label="Simulated time"
        aria-valuetext={seconds(moment.timeS)}
        min={0}
        max={STEPS}
        value={end > 0 ? (moment.timeS / end) * STEPS : 0}
        onInput={(event) => seek(event.currentTarget.value)}
      />
      <output class="moment">
        <strong>{seconds(moment.timeS)}</strong>{' '}
        <small>
          {moment.row === BEGIN ? 0 : moment.row + 1} of {count}
        </small>
      </output>
      <select
        aria-label="Pace"
        value={pace}
        onChange={(event) => player.pace.set(Number(event.currentTarget.value))}
      >
        {PACES.map(([name], at) => (
          <option key={name} value={at}>
            {name}
          </option>
        ))}
      </select>
      <CommandButton studio={studio} icon="stop" command="Stop at the node" />
      <IconButton icon="close" label="End the animation" onClick={() => player.close()} />
      {loading && <p class="hint">The model is running.</p>}
      {error !== null && (
        <p class="finding error" role="alert">
          {error}
        </p>
      )}
      <p class="spoken" aria-live="polite">
        {playing ? '' : told && `${seconds(moment.timeS)}: ${told}`}
      </p>
    </section>
  );
}
