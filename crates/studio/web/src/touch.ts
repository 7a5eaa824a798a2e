/**
 * Handles fingers: in places that support it, one finger acts like a mouse with its button pressed,
 * and two fingers zoom. The browser handles taps.
 */

/** How far a finger moves until it drags. */
const DRAG_PX = 8;

interface Press {
  target: Element;
  touch: Touch;
  dragging: boolean;
  over: Element | null;
}

function fire(target: Element, type: string, { clientX, clientY }: Touch): void {
  const init = { bubbles: true, cancelable: true, view: window, button: 0, clientX, clientY };
  target.dispatchEvent(new MouseEvent(type, init));
}

/** Sends the events that a mouse causes on its way to another element. */
function leave(from: Element, to: Element, touch: Touch): void {
  const { clientX, clientY } = touch;
  fire(from, 'mouseout', touch);
  for (let left: Element | null = from; left && !left.contains(to); left = left.parentElement) {
    left.dispatchEvent(new MouseEvent('mouseleave', { clientX, clientY }));
  }
}

function distance([one, other]: Touch[]): number {
  return one && other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 0;
}

/** Lets fingers drag in a place; `zoom` gets the factor by which two fingers move apart. */
export function takeTouches(place: HTMLElement, zoom: ((factor: number) => void) | null): void {
  let press: Press | null = null;
  let apart = 0;
  const end = (touch: Touch) => {
    if (press?.dragging) fire(press.over ?? press.target, 'mouseup', touch);
    press = null;
  };
  place.addEventListener('touchstart', ({ touches, target }) => {
    const [touch, second] = [...touches];
    if (touch && second) {
      end(touch);
      apart = distance([...touches]);
    } else if (touch && target instanceof Element) {
      press = { target, touch, dragging: false, over: null };
    }
  });
  const move = (event: TouchEvent) => {
    const [touch, second] = [...event.touches];
    if (!touch) return;
    if (second && zoom && apart > 0) {
      event.preventDefault();
      const now = distance([...event.touches]);
      zoom(now / apart);
      apart = now;
    }
    if (second || !press) return;
    if (!press.dragging && distance([press.touch, touch]) < DRAG_PX) return;
    // A scrolling page has captured the finger already.
    if (!event.cancelable && !press.dragging) {
      press = null;
      return;
    }
    event.preventDefault();
    if (!press.dragging) {
      press.dragging = true;
      fire(press.target, 'mouseover', press.touch);
      fire(press.target, 'mousedown', press.touch);
    }
    const over = document.elementFromPoint(touch.clientX, touch.clientY) ?? press.target;
    if (over !== press.over) {
      leave(press.over ?? press.target, over, touch);
      fire(over, 'mouseover', touch);
      press.over = over;
    }
    fire(over, 'mousemove', touch);
  };
  // A touch keeps its target, even where the drawing moves it away.
  place.addEventListener('touchmove', move, { passive: false });
  for (const type of ['touchend', 'touchcancel'] as const) {
    place.addEventListener(type, ({ changedTouches, touches }) => {
      apart = 0;
      const [touch] = [...changedTouches];
      if (touch && touches.length === 0) end(touch);
    });
  }
}
