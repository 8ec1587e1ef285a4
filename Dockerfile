# One image for every service; compose.yaml says which one a container runs.
FROM python:3.12-slim AS build
# A compiler, for the packages that have no wheel for this machine.
RUN apt-get update && apt-get install -y --no-install-recommends build-essential \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PATH=/opt/shoetrail/bin:$PATH
RUN python -m venv /opt/shoetrail
COPY requirements.lock pyproject.toml ./
# As in the Makefile: all that is fetched is checked against the lock, and no build is isolated.
RUN awk '/^[a-z]/ {keep = /^(packaging|pip|setuptools|wheel)==/} keep' requirements.lock > build.lock \
    && pip install --require-hashes -r build.lock \
    && pip install --require-hashes --no-build-isolation -r requirements.lock
COPY schemas schemas
COPY services services
RUN pip install --no-deps --no-build-isolation --no-index . \
    && python -c 'import re, tomllib; dev = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["dev"]; print(*(re.match(r"[\w-]+", name)[0] for name in dev))' \
    | xargs pip uninstall --yes

FROM python:3.12-slim
RUN useradd --system --uid 10001 --create-home shoetrail \
    && install -d -o shoetrail -g shoetrail -m 0700 /var/lib/shoetrail \
    && install -d -o shoetrail -g shoetrail -m 0755 /var/log/shoetrail
COPY --from=build /opt/shoetrail /opt/shoetrail
ENV PATH=/opt/shoetrail/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    SHOETRAIL_STATE_DIR=/var/lib/shoetrail \
    SHOETRAIL_LOG_DIR=/var/log/shoetrail \
    SHOETRAIL_LOG_FORMAT=json
USER shoetrail
WORKDIR /home/shoetrail
ENTRYPOINT ["shoetrail"]
CMD ["--help"]
