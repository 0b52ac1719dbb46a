# One image for every process of Penny; docker-compose.yml says which one a container runs.
FROM node:20.19.4-slim AS extension
WORKDIR /src
COPY browser_ext browser_ext
COPY penny_site/static/penny penny_site/static/penny
COPY thoughts/text/private thoughts/text/private
RUN cd browser_ext && npm ci --ignore-scripts --no-audit --no-fund && npm run build

# Debian 13, for its pg_dump is of 17: an older one dumps no PostgreSQL 17.
FROM python:3.12.11-slim-trixie
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
ENV PYTHONUNBUFFERED=1 UV_PROJECT_ENVIRONMENT=/opt/penny UV_LINK_MODE=copy PATH=/opt/penny/bin:$PATH PENNY_DATA=/data
WORKDIR /app
RUN pip install --no-cache-dir uv==0.13.9
COPY pyproject.toml uv.lock ./
RUN uv sync --locked --no-dev --no-cache
COPY manage.py README.md ./
COPY penny_site penny_site
COPY devices devices
COPY thoughts thoughts
COPY agents agents
COPY --from=extension /src/browser_ext/.output browser_ext/.output
RUN useradd --uid 1000 penny && useradd --uid 1001 reader && mkdir /data && chown penny /data && chmod 700 /data \
    && python -m compileall -q -j 0 manage.py penny_site devices thoughts agents
# The containers may write nowhere but to their volumes and /tmp.
ENV PYTHONDONTWRITEBYTECODE=1
USER penny
